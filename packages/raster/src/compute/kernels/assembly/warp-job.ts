/** The parameters of one warp. `../warp.ts` writes these fields in this order; strides and addresses count bytes. */
@unmanaged
export class WarpTask {
  /**
   * Added to a position, 1.5 × 2^20 leaves a number whose lower word counts 2^-32 of a pixel and whose upper word counts
   * pixels, from `bias` on: rounded and split by one addition. Positions beyond ±2^19 give words beyond any image.
   * Numbers that quick loops need as vectors are read from here, since then they stay in registers; the compiler would
   * make literals anew in every turn.
   */
  magic: f64
  /** The same half a pixel earlier: counts from pixel centre to pixel centre. */
  tapMagic: f64
  /** A pixel with a smaller sum of weights stays empty. */
  least: f64
  /** Ones in the upper words, zeros in the lower. */
  upperWords: u64
  bias: u64

  /** The first of the four samples (or the one) of a pixel that are resampled. */
  source: usize
  /** 0 where all pixels are valid. */
  sourceMask: usize
  sourceWidth: i32
  sourceHeight: i32
  sourcePixel: i32
  sourceRow: i32

  /** Target pointer of each of the four samples; 0 for a sample that is not requested. */
  target0: usize
  target1: usize
  target2: usize
  target3: usize
  targetMask: usize
  width: i32
  height: i32
  targetPixel: i32
  targetRow: i32

  netX: usize
  netY: usize
  nodesAcross: i32
  nodesDown: i32
  /** The spacing is 1 << shift. */
  shift: i32

  /** Buffer for the positions of a row of pixels, x and y in f64; for averages two rows of corners. */
  positions: usize
  nextPositions: usize
  /** Buffer for a row of target pixels of four samples each. */
  packed: usize

  /** The axes of the kernel (see `warp-taps.ts`), and for each column the address of its taps across and down. */
  across: usize
  down: usize
  chosen: usize
  /** The axes of the kernel that is used instead where this one would meet a hole; 0 where holes are left out. */
  spareAcross: usize
  spareDown: usize
}
