A small symmetric matrix                                                tiny    
             3             1             1             1
rsa                        3             3             4             0
(4I3)           (4I3)           (4E12.4)            
  1  3  4  5
