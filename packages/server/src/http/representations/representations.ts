import type { RouteRepresentation } from '@swath/contract/routes.ts'
import { toDataEnvelope, toDataObjectEnvelope } from './data-envelope.ts'
import { toGeojson } from './geojson.ts'
import { toJsonSchema } from './json-schema.ts'
import { toOrderResource, toOrderResources } from './order-resource.ts'
import { toScenes } from './scenes.ts'
import { toOnlyMember } from './only-member.ts'
import { toImage } from './image.ts'
import { toRedirect } from './redirect.ts'
import type { ToRepresentation } from './representation.ts'
import { toCreatedStacItem, toNoContent, toStacItem } from './stac-item.ts'

/** The representations that a route of the contract may name. WMTS responses are bytes with a media type, as images are. */
export const representations: Readonly<Record<RouteRepresentation, ToRepresentation>> = {
  geojson: toGeojson,
  'stac-item': toStacItem,
  created: toCreatedStacItem,
  'no-content': toNoContent,
  image: toImage,
  redirect: toRedirect,
  wmts: toImage,
  'json-schema': toJsonSchema,
  scenes: toScenes,
  data: toDataEnvelope,
  'data-object': toDataObjectEnvelope,
  'order-resource': toOrderResource,
  'order-resources': toOrderResources,
  'only-member': toOnlyMember,
}
