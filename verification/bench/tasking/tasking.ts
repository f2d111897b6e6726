import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseElementSets } from '@swath/geo/orbit/element-set.ts'
import { findPlannedPasses } from '../../../packages/server/src/platform/integrations/hosts/constellation/opportunities.ts'
import { constellationProducts } from '../../../packages/server/src/platform/integrations/hosts/constellation/products.ts'
import { readConstellationSatellites } from '../../../packages/server/src/platform/integrations/hosts/constellation/constellation-satellites.ts'
import { createBox } from '../../prove/harness/demo-scene.ts'
import { elementsFile, limitOf, runSkyfield, skyfieldFolder } from '../../prove/passes/passes.ts'
import { median, type Figure } from '../runner.ts'

const rounds = 5
const [longitude, latitude] = [11.35, 46.5]
const from = new Date('2026-11-24T00:00:00Z')
const to = new Date(from.getTime() + 30 * 24 * 3600 * 1000)
const size = 0.03
const min_ratio = 5

const geometry = createBox(longitude - size, latitude - size, longitude + size, latitude + size)

/**
 * Opportunities of all 23 satellites over 30 days for one area, with footprints, swaths and angles, against skyfield's search
 * for the moments alone at the elevation that belongs to the same off-nadir angle, in the same run.
 */
export async function benchTasking(): Promise<readonly Figure[]> {
  const elements = parseElementSets(await readFile(elementsFile, 'utf8'))
  const satellites = elements.map((one) => ({ ...one, elevation: elevationOf(one.mean_motion, limitOf(one)) }))
  const request = {
    longitude,
    latitude,
    start_s: from.getTime() / 1000,
    end_s: to.getTime() / 1000,
    satellites,
    rounds,
  }
  const own = await measureOwn(elements.length)
  const script = new URL('skyfield_events.py', import.meta.url)
  const answers = (await runSkyfield(skyfieldFolder, script, request)) as { ms: number; passes: number }[]
  const again = await measureOwn(elements.length)
  const [own_ms, other_ms] = [median([...own, ...again]), median(answers.map(({ ms }) => ms))]
  console.log(`opportunities ${own_ms.toFixed(0)} ms; skyfield ${other_ms.toFixed(0)} ms, ${answers[0]!.passes} passes`)
  return [{ name: 'tasking: time of skyfield / opportunities', value: other_ms / own_ms, must: min_ratio }]
}

async function measureOwn(count: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    const sky = await readConstellationSatellites(fileURLToPath(elementsFile))
    if (sky.size !== count) throw new Error('the constellation has other satellites')
    for (const { id } of constellationProducts)
      await findPlannedPasses(sky, { product: id, geometry, from, to }, new Date(from.getTime() - 3_600_000))
    times.push(performance.now() - begin)
  }
  return times
}

/** The elevation of a satellite in a circular orbit that is seen at an off-nadir angle, by the law of sines. */
function elevationOf(mean_motion: number, off_nadir_deg: number): number {
  const radians = Math.PI / 180
  const radius_km = Math.cbrt(398_600.4418 / ((mean_motion * 2 * Math.PI) / 86_400) ** 2)
  const incidence = Math.asin(Math.min(1, (radius_km / 6371) * Math.sin(off_nadir_deg * radians)))
  return 90 - incidence / radians
}
