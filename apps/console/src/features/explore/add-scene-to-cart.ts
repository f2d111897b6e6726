import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { intersectPolygons } from '@swath/geo/polygon-clip.ts'
import { addToCart } from '../../cart/cart.ts'
import { footprintOf, toCartLine, type Scene } from './scenes.ts'

/** A moment of the browser; an area with more edges is sent as it is, and the server cuts it. */
const max_steps = 2_000_000

/** Puts a scene into the cart: whole, or the part of it that lies in the area. */
export function addSceneToCart(scene: Scene, area: AreaGeometry | null): void {
  const footprint = footprintOf(scene)
  addToCart(toCartLine(scene, area && footprint ? intersectPolygons(area, footprint, max_steps) : null))
}
