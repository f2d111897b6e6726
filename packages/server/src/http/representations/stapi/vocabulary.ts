/** The version of STAPI whose objects are returned; requests may be those of 0.2, too. */
export const stapiVersion = '0.1.0'

const conformance = (name: string): string => `https://stapi.example.com/v${stapiVersion}/${name}`

export const stapiApiConformance = [conformance('core'), conformance('order-statuses')] as const

export const stapiProductConformance = [
  conformance('opportunities'),
  'https://geojson.org/schema/Polygon.json',
  'https://geojson.org/schema/MultiPolygon.json',
] as const

/** A property that filters may bound, and the parameter of a tasking order that takes the bound. */
export interface StapiQueryable {
  readonly parameter: 'maxCloudCover' | 'maxOffNadirAngle' | 'minSunElevation'
  readonly bound: '<=' | '>='
  readonly schema: Readonly<Record<string, unknown>>
}

/** The numeric queryables of every product. */
export const stapiQueryables: Readonly<Record<string, StapiQueryable>> = {
  'eo:cloud_cover': {
    parameter: 'maxCloudCover',
    bound: '<=',
    schema: { title: 'Cloud cover', description: 'At most, per cent.', type: 'number', minimum: 0, maximum: 100 },
  },
  'view:off_nadir': {
    parameter: 'maxOffNadirAngle',
    bound: '<=',
    schema: { title: 'Off-nadir angle', description: 'At most, degrees.', type: 'number', minimum: 0, maximum: 90 },
  },
  'view:sun_elevation': {
    parameter: 'minSunElevation',
    bound: '>=',
    schema: { title: 'Sun elevation', description: 'At least, degrees.', type: 'number', minimum: -90, maximum: 90 },
  },
}

export interface StapiLinkObject {
  readonly rel: string
  readonly href: string
  readonly type: string
  readonly title?: string
  readonly method?: 'POST'
  readonly body?: unknown
}

export const stapiJsonMediaType = 'application/json'
export const stapiGeojsonMediaType = 'application/geo+json'

export const createStapiLink = (rel: string, href: string, type: string = stapiJsonMediaType): StapiLinkObject => ({
  rel,
  href,
  type,
})

/** The URLs of the interface below the base URL of the service. */
export const buildStapiUrls = (base: string) => {
  const root = `${base}/stapi`
  const product = (id: string): string => `${root}/products/${encodeURIComponent(id)}`
  return {
    base,
    root,
    conformance: `${root}/conformance`,
    products: `${root}/products`,
    orders: `${root}/orders`,
    product,
    order: (id: string): string => `${root}/orders/${id}`,
  }
}

export type StapiUrls = ReturnType<typeof buildStapiUrls>
