import type { RouteShape } from '@swath/contract/routes.ts'
import { geojson } from './geojson.ts'
import { image } from './image.ts'
import { redirect } from './redirect.ts'
import type { Shape } from './shaped.ts'
import { created, noContent, stacItem } from './stac-item.ts'

/** The representations that a route of the contract may name. WMTS responses are bytes with a media type, as images are. */
export const shapes: Readonly<Record<RouteShape, Shape>> = {
  geojson,
  'stac-item': stacItem,
  created,
  'no-content': noContent,
  image,
  redirect,
  wmts: image,
}
