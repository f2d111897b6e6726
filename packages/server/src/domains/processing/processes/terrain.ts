import Type, { type TProperties } from 'typebox'
import { planDerivedRaster } from './derived-raster.ts'
import type { ProcessDefinition } from '../process-definition.ts'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, itemInput, titleInput } from '../process-inputs.ts'
import { chooseSourceAsset, requireSourceBand } from '../source-bands.ts'

type TerrainMeasure = 'hillshade' | 'slope' | 'aspect'

interface TerrainRow {
  readonly measure: TerrainMeasure
  readonly title: string
  readonly description: string
  /** Inputs beside those of all terrain processes. */
  readonly options: TProperties
}

const rows: readonly TerrainRow[] = [
  {
    measure: 'hillshade',
    title: 'Hillshade',
    description: 'Shades the surface of a terrain model as a light would; 1 is dark, 255 faces the light.',
    options: {
      azimuth: Type.Optional(
        Type.Number({ minimum: 0, maximum: 360, default: 315, description: 'Of the light, clockwise from north.' }),
      ),
      altitude: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 90,
          default: 45,
          description: 'Of the light above the horizon, in degrees.',
        }),
      ),
    },
  },
  {
    measure: 'slope',
    title: 'Slope',
    description: 'Computes how steep the surface of a terrain model is.',
    options: {
      slope_unit: Type.Optional(
        Type.Enum(['degrees', 'percent'], { default: 'degrees', description: 'Unit of the slope; default degrees.' }),
      ),
    },
  },
  {
    measure: 'aspect',
    title: 'Aspect',
    description:
      'Computes where the surface of a terrain model falls: degrees clockwise from north; flat terrain has no value.',
    options: {},
  },
]

const toProcess = ({ measure, title, description, options }: TerrainRow): ProcessDefinition =>
  defineProcess({
    id: measure,
    title,
    description,
    version: '1.1',
    category: 'analytics',
    inputs: Type.Object(
      {
        ...itemInput,
        ...assetKeyInput,
        band: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, description: 'Band of heights; default: the first.' }),
        ),
        z_factor: Type.Optional(
          Type.Number({ exclusiveMinimum: 0, maximum: 1e6, default: 1, description: 'Metres of one unit of height.' }),
        ),
        scale: Type.Optional(
          Type.Enum(['local', 'projected'], {
            default: 'local',
            description:
              'Lengths in a projected reference system: those on the earth, by the local scale of the projection, or its units as they are, as gdaldem takes them.',
          }),
        ),
        ...options,
        ...titleInput,
      },
      { additionalProperties: false },
    ),
    credits_per_megasample: 2,
    plan: async ({ item: reference, asset_key, band, title: name, ...parameters }, sources) => {
      const source = await sources.item(reference)
      const chosen = chooseSourceAsset(source, asset_key)
      return [
        planDerivedRaster(name ?? `${source.item.name} ${measure}`, [source], {
          title,
          sources: [chosen],
          process: { name: 'terrain', measure, band: requireSourceBand(chosen, band), ...parameters },
          bands: [{ name: measure, common_name: null }],
          is_categorical: false,
        }),
      ]
    },
  })

export const terrainProcesses: readonly ProcessDefinition[] = rows.map(toProcess)
