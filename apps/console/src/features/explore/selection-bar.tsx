import { ShoppingCart } from 'lucide-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { sameScene, useCart } from '../../cart/cart.ts'
import { keepView } from '../../map/keep-view.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { Button } from '../../ui/button.tsx'
import { formatArea, formatCredits, formatPercent } from '../../ui/format.ts'
import { unionArea_km2, type Cover } from './cover.ts'
import { addSceneToCart } from './add-scene-to-cart.ts'
import { creditsOf, hostOf, type Scene } from './scenes.ts'
import layout from '../../ui/layout.module.css'
import button from '../../ui/button.module.css'

export interface SelectionBarProps {
  readonly scenes: readonly Scene[]
  readonly area: AreaGeometry | null
  /** Of the area by the scenes; null without an area. */
  readonly cover: Cover | null
  readonly footprints: readonly AreaGeometry[]
  readonly onClear: () => void
}

/** The selected scenes, how much of the area they cover, and the button that adds them to the cart. */
export function SelectionBar({ scenes, area, cover, footprints, onClear }: SelectionBarProps) {
  const cart = useCart()
  const navigate = useNavigate()
  const credits = scenes.reduce((sum, scene) => sum + (creditsOf(scene) ?? 0), 0)
  const km2 = useMemo(() => cover?.km2 ?? unionArea_km2(footprints), [cover, footprints])
  const isInCart =
    scenes.length > 0 &&
    scenes.every((scene) => cart.some((line) => sameScene(line, { host_name: hostOf(scene), id: scene.id })))
  const add = (): void => scenes.forEach((scene) => addSceneToCart(scene, area))
  const checkOut = (): void => {
    add()
    void navigate({ to: '/cart', search: keepView })
  }
  if (scenes.length === 0 && cart.length === 0) return null
  return (
    <div className={`${layout['stack8']} ${layout['inset']} ${layout['lineAbove']}`}>
      {scenes.length > 0 && (
        <p className="figures" role="status">
          {[
            exploreTexts.selected(scenes.length),
            cover ? exploreTexts.cover(formatArea(km2), formatPercent(cover.percent)) : formatArea(km2),
            credits === 0 ? exploreTexts.free : formatCredits(credits),
          ].join(' · ')}
        </p>
      )}
      <div className={layout['row']}>
        {scenes.length > 0 && !isInCart && (
          <>
            <Button kind="primary" onClick={checkOut}>
              {exploreTexts.checkOut}
            </Button>
            <Button icon={ShoppingCart} onClick={add}>
              {exploreTexts.addToCart}
            </Button>
          </>
        )}
        {cart.length > 0 && (
          <Link
            to="/cart"
            search={keepView}
            className={`${button['button']} ${isInCart || scenes.length === 0 ? button['primary'] : ''}`}
          >
            {`${exploreTexts.openCart} (${cart.length})`}
          </Link>
        )}
        {scenes.length > 0 && (
          <Button kind="quiet" onClick={onClear}>
            {exploreTexts.clear}
          </Button>
        )}
      </div>
    </div>
  )
}
