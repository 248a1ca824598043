serve UdpServer
