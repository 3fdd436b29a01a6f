# SPDX-License-Identifier: Apache-2.0
# Formula for Homebrew; scripts/make_release.sh fills in what stands between at signs.
class Gblite < Formula
  desc "Sparse linear algebra over semirings, after the GraphBLAS C API"
  homepage "@URL@"
  url "@URL@/gblite-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "cjson"
  depends_on "libpng"
  depends_on "zstd"
  depends_on "bzip2"
  depends_on :linux
  depends_on "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DGBLITE_HDF5=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "triangles", shell_output("#{bin}/gblite tc rmats:8:8")
    (testpath/"test.c").write <<~C
      #include <gblite.h>
      int main(void) { return gbl_init(GBL_NONBLOCKING) || gbl_finalize(); }
    C
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lgblite", "-o", "test"
    system "./test"
  end
end
