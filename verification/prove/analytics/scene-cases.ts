import { spectralIndicesByName, listSpectralIndexBands } from '../../../packages/raster/src/index.ts'
import { compare, compareExactly, compareFractions, startComparison, type JudgeComparison } from './compare.ts'
import type { ProofContext, ProofScene, SceneCase } from './proof-scene.ts'
import { createZone, toDegrees, type ZonePolygon } from './random-zones.ts'

const percentiles = [2, 25, 98]
const bins = 16
/** Indices that are measured where a scene has their bands. */
const measuredIndices = ['ndvi', 'savi', 'ndwi', 'nbr', 'gli']

/** A value as the product's parameters and as the judge's request name it. */
interface MeasuredValue {
  readonly params: object
  readonly judged: object
  readonly isCount: boolean
}

/** Every index of the list for which the scene has the bands, and its first two bands. */
function listValues(scene: ProofScene): MeasuredValue[] {
  const bands = [1, 2].map((band) => ({
    params: { bands: String(band) },
    judged: { band, scaled: false },
    isCount: true,
  }))
  return [...bands, ...measuredIndices.flatMap((index_name) => indexValue(scene, index_name) ?? [])]
}

function indexValue(scene: ProofScene, index_name: string): MeasuredValue | null {
  const index = spectralIndicesByName.get(index_name)!
  const names = Object.fromEntries(listSpectralIndexBands(index).map((name) => [name, scene.bands.indexOf(name) + 1]))
  if (Object.values(names).includes(0)) return null
  return { params: { index_name }, judged: { formula: index.formula, names, scaled: true }, isCount: false }
}

interface ZoneValues {
  readonly count: number
  readonly sum: number | null
  readonly percentiles: Readonly<Record<string, number>>
  readonly median: number | null
  readonly histogram: { readonly counts: number[]; readonly edges: number[] } | null
  readonly categories: { readonly value: number; readonly count: number }[] | null
  readonly [name: string]: unknown
}

interface JudgedValues {
  readonly count: number
  readonly percentiles?: number[]
  readonly counts?: number[]
  readonly edges?: number[]
  readonly categories?: [number[], number[]]
  readonly [name: string]: unknown
}

/** @param compareCounts exactly for whole pixels. */
const compareValues =
  (compareCounts: typeof compare) =>
  (comparison: JudgeComparison, label: string, own: ZoneValues, judged: JudgedValues): void => {
    compareCounts(comparison, `${label} count`, own.count, judged.count)
    if (judged.count === 0) return
    for (const name of ['sum', 'mean', 'min', 'max', 'std'])
      compare(comparison, `${label} ${name}`, own[name], judged[name])
    const found = [...percentiles.map((percentile) => own.percentiles[String(percentile)]), own.median]
    compare(comparison, `${label} percentiles`, found, judged.percentiles)
    if (own.histogram) {
      compare(comparison, `${label} edges`, own.histogram.edges, judged.edges)
      compareCounts(comparison, `${label} counts`, own.histogram.counts, judged.counts)
    }
    if (!own.categories || !judged.categories) return
    const [kinds, masses] = judged.categories
    const categories = own.categories
    compareExactly(
      comparison,
      `${label} kinds`,
      categories.map(({ value }) => value),
      kinds,
    )
    compareCounts(
      comparison,
      `${label} masses`,
      categories.map(({ count }) => count),
      masses,
    )
  }

/** Weighted statistics of a zone; where parts of less than a millionth of a pixel are inside, also those without them. */
type JudgedZone = JudgedValues & { readonly without_slivers?: JudgedValues }

/** Of a pixel; as in the script of the judge. */
const max_sliver = 1e-6

/** Rounding of positions decides whether a sliver of a pixel is inside: a value that only slivers have may be absent. */
const withoutSlivers = (own: ZoneValues): ZoneValues => ({
  ...own,
  ...(own.categories && { categories: own.categories.filter(({ count }) => count >= max_sliver) }),
})

function differs(compareOne: ReturnType<typeof compareValues>, own: ZoneValues, judged: JudgedValues): boolean {
  const comparison = startComparison()
  compareOne(comparison, '', own, judged)
  return comparison.violations.length > 0
}

/** Zonal statistics of random areas, weighted and by whole pixels. */
async function zoneCases(context: ProofContext, scene: ProofScene): Promise<SceneCase[]> {
  const { random, short, execute } = context
  const zones = Array.from({ length: short ? 4 : 60 }, () => createZone(scene.raster, random, 80))
  const cases: SceneCase[] = []
  for (const { params, judged, isCount } of listValues(scene)) {
    for (const weighted of [true, false]) {
      const request = { item_id: scene.item_id, ...params, weighted, percentiles, bins, categories: isCount }
      const named = zones.map((geometry, at) => ({ id: String(at), geometry }))
      const compareOne = compareValues(weighted ? compareFractions : compareExactly)
      type Found = { zones: { values: ZoneValues[] }[] }
      const found = await execute<Found>('zonal_stats', { ...request, zones: named })
      const asked = {
        kind: 'zones',
        path: scene.path,
        value: judged,
        zones,
        weighted,
        percentiles,
        bins,
        categories: isCount,
      }
      cases.push({
        request: asked,
        compare: (comparison, answer) => {
          for (const [at, { values }] of found.zones.entries()) {
            const label = `${scene.name} ${JSON.stringify(params)} ${weighted ? 'weighted' : 'whole'} zone ${at}`
            const { without_slivers, ...judgedZone } = (answer as JudgedZone[])[at]!
            const own = values[0]!
            const pairs = [judgedZone, ...(without_slivers ? [without_slivers] : [])].flatMap((judgedOne) =>
              [own, ...(weighted ? [withoutSlivers(own)] : [])].map((ownOne) => [ownOne, judgedOne] as const),
            )
            const same = pairs.find(([ownOne, judgedOne]) => !differs(compareOne, ownOne, judgedOne))
            compareOne(comparison, label, ...(same ?? ([own, judgedZone] as const)))
          }
        },
      })
    }
  }
  return cases
}

/** Histogram of the whole, a window by formula and by index, and places along a line. */
async function windowCases(context: ProofContext, scene: ProofScene): Promise<SceneCase[]> {
  const { invoke, execute, random } = context
  const { raster, path, item_id, cog_url, sensor } = scene
  type Found = { histograms: { counts: number[]; edges: number[]; count: number }[] }
  const whole = await execute<Found>('histogram', { item_id, bands: '1', bins })
  const [column, row] = [raster.width * 0.4 * random(), raster.height * 0.4 * random()]
  const [west, north] = toDegrees(raster, column, row)
  const [east, south] = toDegrees(raster, column + raster.width / 2, row + raster.height / 2)
  const bbox = { west, south, east, north }
  const index = indexValue(scene, 'ndvi')
  const formulas = ['red * 2 - green', ...(index ? ['(nir - red) / (nir + red + 1)'] : [])]
  const windows: [object, object][] = []
  for (const formula of formulas) {
    const names = Object.fromEntries(
      ['red', 'green', 'nir'].flatMap((name) =>
        formula.includes(name) ? [[name, scene.bands.indexOf(name) + 1]] : [],
      ),
    )
    windows.push([
      await invoke<object>('analytics.band_math', { cog_url, bbox, sensor, formula }),
      { formula, names, scaled: false },
    ])
  }
  if (index)
    windows.push([
      await invoke<object>('analytics.calculate_index', { cog_url, bbox, sensor, index_name: 'ndvi' }),
      index.judged,
    ])
  return [
    {
      request: { kind: 'histogram', path, value: { band: 1, scaled: false }, bins },
      compare: (comparison, answer) => {
        const { count, counts, edges } = answer as JudgedValues
        const [own] = whole.histograms
        compareExactly(comparison, `${scene.name} histogram`, [own!.count, ...own!.counts], [count, ...counts!])
        compare(comparison, `${scene.name} edges`, own!.edges, edges)
      },
    },
    ...windows.map(([own, value]) => windowCase(scene, bbox, own as WindowAnalysis, value)),
    await profileCase(context, scene),
  ]
}

interface WindowAnalysis {
  readonly width: number
  readonly height: number
  readonly statistics: ZoneValues
}

const windowCase = (scene: ProofScene, bbox: object, own: WindowAnalysis, value: object): SceneCase => ({
  request: { kind: 'window', path: scene.path, bbox, value, percentiles: [2, 98] },
  compare: (comparison, answer) => {
    const { size, count, percentiles: found, ...judged } = answer as JudgedValues & { size: number[] }
    const label = `${scene.name} window ${JSON.stringify(value)}`
    const { statistics } = own
    compareExactly(comparison, `${label} size`, [own.width, own.height, statistics.count], [...size, count])
    for (const name of ['mean', 'min', 'max', 'std'])
      compare(comparison, `${label} ${name}`, statistics[name], judged[name])
    const { '2': low, '98': high } = statistics.percentiles
    compare(comparison, `${label} percentiles`, [low, high, statistics.median], found)
  },
})

async function profileCase({ execute }: ProofContext, scene: ProofScene): Promise<SceneCase> {
  const { raster, item_id, path } = scene
  const coordinates = [
    toDegrees(raster, raster.width * 0.1, raster.height * 0.2),
    toDegrees(raster, raster.width * 0.8, raster.height * 0.7),
  ]
  type Found = { positions: { lon: number; lat: number }[]; values: { values: (number | null)[] }[] }
  const found = await execute<Found>('line_profile', { item_id, coordinates, samples: 101, bands: '1' })
  const positions = found.positions.map(({ lon, lat }) => [lon, lat])
  return {
    request: { kind: 'points', path, value: { band: 1, scaled: false }, positions },
    compare: (comparison, answer) =>
      compareExactly(comparison, `${scene.name} profile`, found.values[0]!.values, answer),
  }
}

/** Change between two scenes on one grid, and the same place over time. */
async function changeCases(
  { execute, random }: ProofContext,
  first: ProofScene,
  second: ProofScene,
): Promise<SceneCase[]> {
  const value = indexValue(first, 'ndvi')!
  const geometry: ZonePolygon = createZone(first.raster, random, first.raster.width / 3)
  const threshold = 0.05
  const items = { before_item_id: first.item_id, after_item_id: second.item_id }
  const { statistics } = await execute<{ statistics: Record<string, number | null> }>('change_detection', {
    ...items,
    index_name: 'ndvi',
    change_threshold: threshold,
    geometry,
  })
  const request = { before: first.path, after: second.path, value: value.judged, geometry, threshold }
  return [
    {
      request: { kind: 'change', ...request },
      compare: (comparison, answer) => {
        const judged = answer as JudgedValues & Record<string, number>
        const label = `change of ${first.name}`
        const own = ['pixel_count', 'compared_count', 'increased_count', 'decreased_count'].map(
          (name) => statistics[name],
        )
        const counts = [judged['pixels'], judged.count, judged['increased'], judged['decreased']]
        compareExactly(comparison, label, own, counts)
        for (const [name, other] of [
          ['mean_change', 'mean'],
          ['std_change', 'std'],
          ['min_change', 'min'],
          ['max_change', 'max'],
        ] as const)
          compare(comparison, `${label} ${name}`, statistics[name], judged[other] ?? null)
      },
    },
  ]
}

/** All analyses of the scenes, with the requests to the judge. */
export async function createSceneCases(context: ProofContext): Promise<SceneCase[]> {
  const cases: SceneCase[] = []
  for (const scene of context.scenes) {
    cases.push(...(await zoneCases(context, scene)))
    cases.push(...(await windowCases(context, scene)))
  }
  const pairs = [
    ['2024-08-01', '2024-08-26'],
    ['2021-06-08', '2021-06-13'],
    ['1985', '2020'],
  ]
  for (const pair of pairs) {
    const [first, second] = pair.map((date) => context.scenes.find(({ name }) => name.includes(date))!)
    cases.push(...(await changeCases(context, first!, second!)))
  }
  return cases
}
