// Desk: an HTTP server on Netty with three threads, as Shop is on Jetty: it tells its port, numbers the pages that it
// gives, and ends when it is asked for /stop.

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

public class Desk {
    private static final StringBuffer visits = new StringBuffer();
    private static final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private static int count;

    private static synchronized int next() {
        visits.append(Thread.currentThread().getName().replaceAll(".*-", ""));
        return ++count;
    }

    static class Pages extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            byte[] page = ("page " + next() + " of " + request.uri() + "\n").getBytes(StandardCharsets.UTF_8);
            FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_0, HttpResponseStatus.OK,
                    context.alloc().buffer().writeBytes(page));
            answer.headers().set("Content-Length", page.length).set("Connection", "keep-alive");
            boolean last = request.uri().equals("/stop");
            context.writeAndFlush(answer).addListener(written -> {
                if (last) {
                    stopped.complete(null);
                }
            });
        }
    }

    public static void main(String[] args) throws Exception {
        EventLoopGroup gate = new NioEventLoopGroup(1), desks = new NioEventLoopGroup(3);
        ServerBootstrap server = new ServerBootstrap().group(gate, desks).channel(NioServerSocketChannel.class);
        server.childHandler(new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new Pages());
            }
        });
        Channel channel = server.bind("127.0.0.1", 0).sync().channel();
        System.out.println("port " + ((InetSocketAddress) channel.localAddress()).getPort());
        System.out.flush();
        stopped.get();
        channel.close().sync();
        gate.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
        desks.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
        System.out.println(count + " pages " + Crew.digest(visits.toString()));
    }
}
