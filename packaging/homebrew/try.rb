# SPDX-License-Identifier: Apache-2.0
#
# try.rb FORMULA PREFIX: installs by a formula, in the folder of the unpacked sources, and runs its test,
# without Homebrew: a class stands in for the words that the formula uses. scripts/try_recipes.sh calls it.
require "fileutils"
require "pathname"
require "tmpdir"

class Formula
  WORDS = [:desc, :homepage, :url, :sha256, :license, :depends_on].freeze
  class << self
    attr_accessor :prefix, :used

    WORDS.each { |word| define_method(word) { |*what| (self.used ||= []) << [word, *what] } }

    def test(&block)
      define_method(:try, &block)
    end
  end

  def prefix = Pathname(self.class.prefix)
  def bin = prefix / "bin"
  def include = prefix / "include"
  def lib = prefix / "lib"
  def testpath = Pathname(Dir.pwd)

  # Those of Homebrew that say something outside it.
  def std_cmake_args
    ["-DCMAKE_INSTALL_PREFIX=#{prefix}", "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Release",
     "-DCMAKE_FIND_FRAMEWORK=LAST", "-Wno-dev", "-DBUILD_TESTING=OFF"]
  end

  def system(*command)
    Kernel.system(*command.map(&:to_s), out: File::NULL) || raise("failed: #{command.join(" ")}")
  end

  def shell_output(command)
    output = `#{command}`
    $?.success? ? output : raise("failed: #{command}")
  end

  def assert_match(what, text)
    text.match?(what) || raise("#{what} is not in: #{text}")
  end
end

def ENV.cc = "cc"

load ARGV[0]
Gblite.prefix = ARGV[1]
missing = Formula::WORDS - Gblite.used.map(&:first)
raise "the formula lacks #{missing.join(", ")}" unless missing.empty?
raise "the formula has words of make_release.sh left" if Gblite.used.flatten.any? { |word| word.to_s.include?("@") }

formula = Gblite.new
formula.install
ENV["LD_LIBRARY_PATH"] = formula.lib.to_s # Homebrew links by -rpath
Dir.mktmpdir { |folder| Dir.chdir(folder) { formula.try } }
puts "homebrew: installed, and its test passes"
