import type { SceneBand } from './scene-image.ts'

/** The meaning of the values of a cloud mask. */
export interface CloudMask {
  /** The names of the band, or of its asset. */
  readonly names: RegExp
  isFill(value: number): boolean
  isCloud(value: number): boolean
  isHaze(value: number): boolean
}

const hasBit = (value: number, bit: number): boolean => ((value >> bit) & 1) === 1
const bitPair = (value: number, bit: number): number => (value >> bit) & 3
const high = 3

/** The masks of the providers; cloud shadow is neither cloud nor haze. */
export const cloudMasks: readonly CloudMask[] = [
  {
    // Scene classification of Sentinel-2: cloud of medium and high probability, thin cirrus.
    names: /^scl$/i,
    isFill: (value) => value === 0,
    isCloud: (value) => value === 8 || value === 9,
    isHaze: (value) => value === 10,
  },
  {
    // HLS: bit 1 is cloud, bits 6 and 7 are the level of aerosol.
    names: /^fmask$/i,
    isFill: (value) => value === 255,
    isCloud: (value) => hasBit(value, 1),
    isHaze: (value) => bitPair(value, 6) === high,
  },
  {
    // Landsat Collection 2.
    names: /^qa_pixel$/i,
    isFill: (value) => hasBit(value, 0),
    isCloud: (value) => hasBit(value, 3),
    isHaze: (value) => hasBit(value, 2),
  },
  {
    // Landsat Collection 1: bits 11 and 12 are the confidence of cirrus.
    names: /^bqa$/i,
    isFill: (value) => hasBit(value, 0),
    isCloud: (value) => hasBit(value, 4),
    isHaze: (value) => bitPair(value, 11) === high,
  },
]

/** The band with the cloud mask of a scene, and its meaning; null if it has none. */
export function findCloudMask(bands: readonly SceneBand[]): { band: SceneBand; mask: CloudMask } | null {
  for (const mask of cloudMasks) {
    const band = bands.find(({ file, metadata }) => mask.names.test(metadata.name ?? '') || mask.names.test(file.asset))
    if (band) return { band, mask }
  }
  return null
}
