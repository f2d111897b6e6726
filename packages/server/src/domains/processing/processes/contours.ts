import Type from 'typebox'
import { contourLimits, suggestContourInterval } from '@swath/raster'
import { validationProblem } from '../../../engine/problem.ts'
import { applyCurrentBandNames } from '../../items/assets/current-bands.ts'
import { defineProcess, type SourceAsset } from '../process-definition.ts'
import { assetKeyInput, itemInput, titleInput } from '../process-inputs.ts'
import { chooseSourceAsset, requireSourceBand } from '../source-bands.ts'

export const contoursProcess = defineProcess({
  id: 'contours',
  title: 'Contours',
  description:
    'Draws the lines at which a surface crosses levels, such as heights, as features with their level. Lines end where the surface has no value.',
  version: '1.0',
  category: 'analytics',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      band: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Band of the surface; default: the first.' }),
      ),
      interval: Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description: 'Difference between two levels.' }),
      base: Type.Optional(
        Type.Number({ minimum: -1e9, maximum: 1e9, default: 0, description: 'One of the levels; default 0.' }),
      ),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  output_media_type: 'application/geo+json',
  credits_per_megasample: 2,
  plan: async ({ item: reference, asset_key, band, interval, base = 0, title }, sources) => {
    const source = await sources.item(reference)
    const chosen = chooseSourceAsset(source, asset_key)
    const index = requireSourceBand(chosen, band)
    requireLevels(chosen, index, { interval, base })
    return [
      {
        name: title ?? `${source.item.name} contours`,
        type: 'derived_vector',
        from: [source.item],
        assets: [
          {
            key: 'data',
            title: 'Contours',
            sources: [chosen],
            process: { name: 'contours', band: index, interval, base },
            bands: [],
            is_categorical: false,
          },
        ],
      },
    ]
  },
})

/** As many digits as a person compares. */
const toShortNumber = (value: number): string => String(Number(value.toPrecision(6)))

/** Expected difference of the lowest and the highest of four values of noise, in standard deviations. */
const noise_difference = 2.1

/**
 * Throws `validation` of `interval` if no level lies between the lowest and the highest value of a band, or more than a job may draw,
 * as far as there are statistics of it. The interval that is named is enough for noise of the same deviation, too.
 */
function requireLevels(
  { asset }: SourceAsset,
  band: number,
  { interval, base }: { readonly interval: number; readonly base: number },
): void {
  const { scale, offset, statistics } = applyCurrentBandNames(asset)[band]!
  if (!statistics || !asset.raster) return
  const values = [statistics.minimum * scale + offset, statistics.maximum * scale + offset]
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  // Statistics of other programs may be of some pixels alone; they have no percentiles.
  const isMeasured = statistics.p2 !== null
  if (isMeasured && Math.ceil((lowest - base) / interval) > Math.floor((highest - base) / interval)) {
    const message = `is too large: no level lies between the values of the band, which are from ${toShortNumber(lowest)} to ${toShortNumber(highest)}`
    throw validationProblem([{ path: 'interval', message }])
  }
  const { max_levels } = contourLimits
  if (!((highest - lowest) / interval > max_levels)) return
  const pixels = asset.raster.width * asset.raster.height
  const differences = noise_difference * statistics.stddev * Math.abs(scale) * pixels
  const farthest = Math.max(Math.abs(lowest - base), Math.abs(highest - base))
  const enough = suggestContourInterval({ lowest, highest, differences, farthest }, contourLimits)
  const message = `gives more than ${max_levels} levels between the values of the band; ${enough} gives fewer`
  throw validationProblem([{ path: 'interval', message }])
}
