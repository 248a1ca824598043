// Render WIDTH THREADS: renders balls on a plane with Sunflow, and tells which of its threads took which part of the
// picture.

import java.util.Random;
import org.sunflow.SunflowAPI;
import org.sunflow.core.Display;
import org.sunflow.image.Color;
import org.sunflow.math.Matrix4;
import org.sunflow.math.Point3;
import org.sunflow.math.Vector3;
import org.sunflow.system.UI;
import org.sunflow.system.ui.SilentInterface;

public class Render {
    public static void main(String[] args) throws Exception {
        UI.set(new SilentInterface());
        SunflowAPI scene = new SunflowAPI();
        build(scene, Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        Picture picture = new Picture();
        scene.render(SunflowAPI.DEFAULT_OPTIONS, picture);
        System.out.println("picture " + picture.width + "x" + picture.height + " " + Crew.digest(picture.pixels));
        System.out.println("parts " + Crew.digest(picture.parts.toString()));
    }

    private static void build(SunflowAPI scene, int width, int threads) {
        scene.parameter("transform", Matrix4.lookAt(new Point3(0, -12, 6), new Point3(0, 0, 1), new Vector3(0, 0, 1)));
        scene.parameter("fov", 50f);
        scene.parameter("aspect", 4f / 3);
        scene.camera("camera", "pinhole");
        scene.parameter("camera", "camera");
        scene.parameter("resolutionX", width);
        scene.parameter("resolutionY", width * 3 / 4);
        scene.parameter("aa.min", 0);
        scene.parameter("aa.max", 1);
        scene.parameter("bucket.size", 16);
        scene.parameter("threads", threads);
        scene.parameter("gi.engine", "ambocc");
        scene.parameter("gi.ambocc.samples", 24);
        scene.parameter("gi.ambocc.maxdist", 4f);
        scene.options(SunflowAPI.DEFAULT_OPTIONS);
        scene.parameter("center", new Point3(-6, -5, 9));
        scene.parameter("power", null, 300f, 300f, 300f);
        scene.light("lamp", "point");
        Random random = new Random(31);
        paint(scene, random, "paint 0", "diffuse");
        scene.parameter("center", new Point3(0, 0, 0));
        scene.parameter("normal", new Vector3(0, 0, 1));
        place(scene, "plane", "plane", "paint 0", Matrix4.IDENTITY);
        for (int i = 1; i < 150; i++) {
            paint(scene, random, "paint " + i, i % 3 == 0 ? "shiny_diffuse" : "diffuse");
            float size = 0.2f + random.nextFloat() / 2;
            Matrix4 place = Matrix4.translation(10 * random.nextFloat() - 5, 10 * random.nextFloat() - 5,
                    4 * random.nextFloat());
            place(scene, "ball " + i, "sphere", "paint " + i, place.multiply(Matrix4.scale(size)));
        }
    }

    private static void paint(SunflowAPI scene, Random random, String name, String kind) {
        scene.parameter("diffuse", null, random.nextFloat(), random.nextFloat(), random.nextFloat());
        scene.shader(name, kind);
    }

    private static void place(SunflowAPI scene, String name, String kind, String paint, Matrix4 place) {
        scene.geometry(name, kind);
        scene.parameter("transform", place);
        scene.parameter("shaders", paint);
        scene.instance(name + ".instance", name);
    }

    private static final class Picture implements Display {
        private int width, height;
        private byte[] pixels;
        private final StringBuilder parts = new StringBuilder();

        @Override public void imageBegin(int width, int height, int bucketSize) {
            this.width = width;
            this.height = height;
            pixels = new byte[3 * width * height];
        }

        @Override public synchronized void imagePrepare(int x, int y, int width, int height, int thread) {
            parts.append(thread).append(':').append(x).append(',').append(y).append(' ');
        }

        @Override public synchronized void imageUpdate(int left, int top, int w, int h, Color[] colors, float[] alpha) {
            for (int i = 0; i < w * h; i++) {
                int rgb = colors[i].copy().toNonLinear().toRGB(), at = 3 * ((top + i / w) * width + left + i % w);
                pixels[at] = (byte) (rgb >> 16);
                pixels[at + 1] = (byte) (rgb >> 8);
                pixels[at + 2] = (byte) rgb;
            }
        }

        @Override public void imageFill(int x, int y, int width, int height, Color color, float alpha) {}

        @Override public void imageEnd() {}
    }
}
