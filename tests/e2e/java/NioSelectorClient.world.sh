serve TcpServer
