Integers                                                                fortran.
             3             1             1             1
rua                        3             3             3             0
(4I3)           (4I3)           (3E24.1)            
  1  2  3  4
  2  3  1
                   1.1+3                   0.7-2                       3
