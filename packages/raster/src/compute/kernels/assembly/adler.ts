const modulus: u32 = 65_521
/** Vectors after which the sums must be reduced, before they pass 32 bits. */
const max_vectors: usize = 256

/** Adler-32 of bytes (RFC 1950, 9): their sum, and the sum of all sums on the way. */
export function adler32(at: usize, bytes: usize): u32 {
  const weights = memory.data<i16>([16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 16)
  const firstWeights = v128.load(weights)
  const lastWeights = v128.load(weights, 16)
  let sum: u32 = 1
  let sums: u32 = 0
  while (bytes >= 16) {
    const vectors = min(bytes >> 4, max_vectors)
    let earlier = v128.splat<i32>(0)
    let own = v128.splat<i32>(0)
    let weighted = v128.splat<i32>(0)
    for (const end = at + (vectors << 4); at < end; at += 16) {
      const low = i16x8.extend_low_i8x16_u(v128.load(at))
      const high = i16x8.extend_high_i8x16_u(v128.load(at))
      earlier = i32x4.add(earlier, own)
      own = i32x4.add(own, i32x4.extadd_pairwise_i16x8_u(i16x8.add(low, high)))
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(low, firstWeights))
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(high, lastWeights))
    }
    sums = (sums + sum * <u32>(vectors << 4) + laneSum(earlier) * 16 + laneSum(weighted)) % modulus
    sum = (sum + laneSum(own)) % modulus
    bytes -= vectors << 4
  }
  for (; bytes > 0; bytes--) {
    sum += load<u8>(at++)
    sums += sum
  }
  return ((sums % modulus) << 16) | (sum % modulus)
}

/* @inline */ function laneSum(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  )
}
