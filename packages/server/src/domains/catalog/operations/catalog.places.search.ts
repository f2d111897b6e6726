import { catalogPlacesSearchOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { parseCoordinates } from '../places/parse-coordinates.ts'
import { placeNameAttribution, placeIndexServiceKey } from '../places/place-index.ts'
import { findPlaces } from '../places/find-places.ts'
import { toPositionJson } from '../places/place-json.ts'

export const handler = defineHandler(catalogPlacesSearchOperation, async (call, { query, limit }) => {
  const positions = parseCoordinates(query).map((position) => toPositionJson(query, position))
  const places =
    positions.length > 0 ? [] : findPlaces(await call.processServices.get(placeIndexServiceKey).read(), query, limit)
  return { places: [...positions, ...places].slice(0, limit), attribution: placeNameAttribution }
})
