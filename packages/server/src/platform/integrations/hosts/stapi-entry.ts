import Type, { type Static } from 'typebox'
import type { HostMetadata } from './archive/archive-host.ts'
import type { StapiHostRow, StapiProductRow } from './stapi/stapi-row.ts'

const strict = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 2000 })
const Percent = Type.Number({ minimum: 0, maximum: 100 })

const Sensor = Type.Object(
  {
    id: Text,
    title: Text,
    provider: Type.Optional(Text),
    satellites: Type.Optional(Type.Array(Text)),
    gsd_m: Type.Number({ exclusiveMinimum: 0 }),
    swath_km: Type.Number({ exclusiveMinimum: 0 }),
    max_off_nadir_deg: Type.Number({ minimum: 0, maximum: 90 }),
    bands: Type.Optional(Type.Array(Type.Object({ name: Text, common_name: Type.Optional(Text) }, strict))),
  },
  strict,
)

const Product = Type.Object(
  {
    id: Text,
    title: Type.Optional(Text),
    description: Type.Optional(Text),
    /** Ids of `sensors`; absent: all. */
    sensors: Type.Optional(Type.Array(Text, { minItems: 1 })),
    workflow: Type.Optional(Type.Enum(['direct', 'study', 'quotation'])),
    price: Type.Object(
      {
        product: Text,
        rate_credits: Type.Integer({ minimum: 0 }),
        minimum_km2: Type.Number({ minimum: 0 }),
        licences: Type.Array(Text, { minItems: 1 }),
      },
      strict,
    ),
    /** Absent: never once the provider has accepted the order. */
    cancel_policy: Type.Optional(
      Type.Object({ hours_before_acquisition: Type.Number({ minimum: 0, maximum: 8784 }), fee_pct: Percent }, strict),
    ),
    min_area_km2: Type.Optional(Type.Number({ minimum: 0 })),
    max_area_km2: Type.Number({ exclusiveMinimum: 0 }),
    max_window_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
    /** The name of an agreement of `eulas`; absent: that of the host. */
    eula: Type.Optional(Text),
    queryables: Type.Optional(
      Type.Object(
        {
          max_cloud_pct: Type.Optional(Text),
          max_off_nadir_deg: Type.Optional(Text),
          min_sun_elevation_deg: Type.Optional(Text),
        },
        strict,
      ),
    ),
    order_parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    reference_parameter: Type.Optional(Text),
  },
  strict,
)

/** The fields of a STAPI provider in the file of hosts, beside those of every host. */
export const stapiEntryFields = {
  signing: Type.Optional(Type.Enum(['none', 'bearer'])),
  sensors: Type.Array(Sensor, { minItems: 1 }),
  products: Type.Array(Product, { minItems: 1 }),
  poll_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  delivery_grace_h: Type.Optional(Type.Number({ minimum: 0, maximum: 8784 })),
}

const StapiFields = Type.Object(stapiEntryFields)
type StapiFields = Static<typeof StapiFields>

/** The first mistake that the schema cannot find, as a clause; null if there is none. */
export function findStapiEntryError({ sensors, products }: StapiFields): string | null {
  const sensorIds = sensors.map(({ id }) => id)
  const repeated =
    findRepeated('sensors', sensorIds) ??
    findRepeated(
      'products',
      products.map(({ id }) => id),
    )
  if (repeated !== null) return repeated
  for (const [index, product] of products.entries()) {
    const unknown = (product.sensors ?? []).find((id) => !sensorIds.includes(id))
    if (unknown !== undefined)
      return `field "products.${index}.sensors", names the sensor "${unknown}", which is not in "sensors"`
    if ((product.min_area_km2 ?? 0) > product.max_area_km2)
      return `field "products.${index}.min_area_km2", is larger than max_area_km2`
  }
  return null
}

function findRepeated(field: string, ids: readonly string[]): string | null {
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  return repeated === undefined ? null : `field "${field}", has the id "${repeated}" twice`
}

export interface StapiConnection {
  readonly url: string
  readonly asset_keys?: readonly string[]
  readonly token_origins?: readonly string[]
  readonly allow_private?: boolean
  readonly private_origins?: readonly string[]
}

export const toStapiRow = (metadata: HostMetadata, entry: StapiFields & StapiConnection): StapiHostRow => ({
  ...metadata,
  url: entry.url,
  signing: entry.signing ?? 'none',
  token_origins: entry.token_origins ?? [],
  allow_private: entry.allow_private ?? false,
  private_origins: entry.private_origins ?? [],
  asset_keys: entry.asset_keys ?? null,
  poll_s: entry.poll_s ?? 300,
  delivery_grace_h: entry.delivery_grace_h ?? 24,
  sensors: entry.sensors.map((sensor) => ({
    ...sensor,
    provider: sensor.provider ?? metadata.title,
    satellites: sensor.satellites ?? [],
    bands: (sensor.bands ?? []).map(({ name, common_name }) => ({ name, common_name: common_name ?? null })),
  })),
  products: entry.products.map((product) => toProductRow(metadata, entry, product)),
})

const toProductRow = (
  metadata: HostMetadata,
  { sensors }: StapiFields,
  product: StapiFields['products'][number],
): StapiProductRow => ({
  ...product,
  title: product.title ?? null,
  description: product.description ?? null,
  sensors: product.sensors ?? sensors.map(({ id }) => id),
  workflow: product.workflow ?? 'direct',
  cancel_policy: product.cancel_policy ?? { hours_before_acquisition: null, fee_pct: 0 },
  min_area_km2: product.min_area_km2 ?? 0,
  max_window_days: product.max_window_days ?? 90,
  eula: product.eula ?? metadata.eula ?? null,
  queryables: product.queryables ?? {},
  order_parameters: product.order_parameters ?? {},
  reference_parameter: product.reference_parameter ?? null,
})
