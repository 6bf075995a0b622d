import Glibc

exit(DashboardProgram.main())
