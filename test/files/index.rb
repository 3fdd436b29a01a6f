A small symmetric matrix                                                tiny    
             3             1             1             1
rsa                        3             3             4             0
(4I3)           (4I3)           (4E12.4)            
  1  3  4  5
  1  2  2  4
  1.0000E+00  2.5000D+00 -3.0000E+00  4.0000+001
