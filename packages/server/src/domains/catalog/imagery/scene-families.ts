import type { HostScene } from '../../../platform/integrations/imagery-host.ts'

/** A family of satellites or aircraft, whose scenes have the same bands. */
export type SceneFamily = 'landsat' | 'naip' | 'sentinel'

/** Patterns of the collection, constellation or platform of the scenes of each family. */
const familyPatterns: Readonly<Record<SceneFamily, RegExp>> = {
  landsat: /landsat|^hls2?[-_]l30/i,
  naip: /\bnaip\b/i,
  sentinel: /sentinel|^hls2?[-_]s30/i,
}

/** True if the scene is of the family: by its collection, else by its constellation or platform. */
export function isSceneOfFamily(family: SceneFamily): (scene: HostScene) => boolean {
  const pattern = familyPatterns[family]
  return ({ collection, properties }) => {
    const byCollection = Object.values(familyPatterns).filter((other) => other.test(collection))
    if (byCollection.length > 0) return byCollection.includes(pattern)
    return [properties['constellation'], properties['platform']].some((name) => pattern.test(String(name ?? '')))
  }
}

/** The common names of the bands that scenes of a family have. */
export const bandsBySceneFamily: Readonly<Record<'landsat' | 'naip', readonly string[]>> = {
  landsat: ['coastal', 'blue', 'green', 'red', 'nir', 'swir16', 'swir22'],
  naip: ['red', 'green', 'blue', 'nir'],
}
