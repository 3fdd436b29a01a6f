Integers                                                                fraction
             3             1             1             1
iua                        3             3             3             0
(4I3)           (4I3)           (3I24)              
  1  2  3  4
  2  3  1
                     1.5                       1                       2
