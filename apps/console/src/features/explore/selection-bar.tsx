import { ShoppingCart } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { coveredFraction, intersection } from '@swath/geo/polygon-clip.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { addToCart, sameScene, useCart } from '../../cart/cart.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatCredits, formatPercent } from '../../ui/format.ts'
import styles from './explore.module.css'
import { creditsOf, footprintOf, hostOf, toCartLine, type Scene } from './scenes.ts'

export interface SelectionBarProps {
  readonly scenes: readonly Scene[]
  readonly area: AreaGeometry | null
  readonly onClear: () => void
}

/** What is selected, how much of the area it covers, and the way to the cart. */
export function SelectionBar({ scenes, area, onClear }: SelectionBarProps) {
  const cart = useCart()
  const credits = scenes.reduce((sum, scene) => sum + creditsOf(scene), 0)
  const footprints = scenes.map(footprintOf).filter((footprint) => footprint !== null)
  const cover = area ? formatPercent(100 * coveredFraction(area, footprints)) : null
  const isInCart =
    scenes.length > 0 &&
    scenes.every((scene) => cart.some((line) => sameScene(line, { host_name: hostOf(scene), id: scene.id })))
  const add = (): void => {
    for (const scene of scenes) {
      const footprint = footprintOf(scene)
      addToCart(toCartLine(scene, area && footprint ? intersection(area, footprint) : null))
    }
  }
  if (scenes.length === 0 && cart.length === 0) return null
  return (
    <div className={styles['bar']}>
      {scenes.length > 0 && (
        <p className="figures" role="status">
          {[
            texts.explore.selected(scenes.length),
            cover && texts.explore.cover(cover),
            credits === 0 ? texts.explore.free : formatCredits(credits),
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
      )}
      <div className={styles['row']}>
        {scenes.length > 0 && !isInCart && (
          <Button kind="primary" icon={ShoppingCart} onClick={add}>
            {texts.explore.addToCart}
          </Button>
        )}
        {cart.length > 0 && (
          <Link
            to="/cart"
            search={({ v }: { v?: string }) => (v ? { v } : {})}
            className={styles['cart']!}
            data-primary={isInCart || scenes.length === 0}
          >
            {`${texts.explore.openCart} (${cart.length})`}
          </Link>
        )}
        {scenes.length > 0 && (
          <Button kind="quiet" onClick={onClear}>
            {texts.explore.clear}
          </Button>
        )}
      </div>
    </div>
  )
}
