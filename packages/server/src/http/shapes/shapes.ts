import type { RouteShape } from '@swath/contract/routes.ts'
import { geojson } from './geojson.ts'
import { image } from './image.ts'
import { redirect } from './redirect.ts'
import type { Shape } from './shaped.ts'
import { created, noContent, stacItem } from './stac-item.ts'

/** Every shape that a row of the route table may name. WMTS answers are bytes with their media type, as pictures are. */
export const shapes: Readonly<Record<RouteShape, Shape>> = {
  geojson,
  'stac-item': stacItem,
  created,
  'no-content': noContent,
  image,
  redirect,
  wmts: image,
}
