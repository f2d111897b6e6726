import { X } from 'lucide-react'
import type { EstimateLine, OrderEstimate } from '@swath/client/operations.ts'
import { removeFromCart, type CartLine } from '../../cart/cart.ts'
import { scenePicturePath } from '../../api/scene-picture-path.ts'
import { cartTexts } from '../../texts/cart.ts'
import { Credits } from '../../ui/figures.tsx'
import { formatArea, formatDate } from '../../ui/format.ts'
import { Image } from '../../ui/image.tsx'
import { groupLines, isMinimumCharged, type LineGroup, type PricedLine } from './cart-order.ts'
import styles from './cart.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

export const lineKey = ({ host_name, id }: CartLine): string => `${host_name} ${id}`

export interface CartLinesProps {
  readonly lines: readonly CartLine[]
  readonly estimate: OrderEstimate | undefined
  readonly isSplit: boolean
  readonly hovered: string | null
  readonly onHover: (key: string | null) => void
}

/** The scenes with their prices, or with the reason why one cannot be ordered. */
export function CartLines({ lines, estimate, isSplit, hovered, onHover }: CartLinesProps) {
  return groupLines(lines, estimate, isSplit).map((group) => (
    <div key={group.date ?? ''}>
      {group.date && (
        <p className={`${layout['split']} ${typography['note']}`}>
          <span>
            <strong className={typography['normal']}>{formatDate(group.date)}</strong> {describeGroup(group)}
          </span>
          <Credits credits={group.credits ?? 0} />
        </p>
      )}
      <ul className={`${layout['stack4']} ${styles['lines']}`}>
        {group.lines.map((priced) => {
          const key = lineKey(priced.line)
          return (
            <li
              key={key}
              className={`${layout['choice']} ${styles['line']}`}
              data-hovered={key === hovered}
              onPointerEnter={() => onHover(key)}
              onPointerLeave={() => onHover(null)}
            >
              <Line {...priced} isGrouped={group.date !== null} />
            </li>
          )
        })}
      </ul>
    </div>
  ))
}

function Line({ line, price, error, isGrouped }: PricedLine & { isGrouped: boolean }) {
  const at = line.datetime ?? price?.datetime ?? null
  const name = at ? formatDate(at) : line.id
  return (
    <>
      <Image
        path={scenePicturePath('thumbnail', line.host_name, line.id)}
        alt={cartTexts.quicklook(line.id)}
        width={72}
        height={54}
      />
      <div className={`${layout['grid']} ${layout['narrow']}`}>
        <strong className={typography['medium']}>{name}</strong>
        <small className={typography['anywhere']}>{line.id}</small>
      </div>
      <span className={`${typography['alignEnd']} ${styles['price']}`}>{price && <Price {...price} />}</span>
      <button
        type="button"
        className={`${layout['center']} ${layout['square']} ${typography['muted']} ${layout['choice']}`}
        aria-label={cartTexts.remove(line.id)}
        title={cartTexts.remove(line.id)}
        onClick={() => removeFromCart(line)}
      >
        <X size={16} aria-hidden />
      </button>
      <small className={error ? typography['bad'] : undefined}>
        {error?.message ?? describePurchase(line, price, isGrouped)}
      </small>
    </>
  )
}

const Price = ({ credits, aud }: EstimateLine) =>
  credits === 0 ? cartTexts.free : <Credits credits={credits} aud={aud} />

/** In a date group the minimum is that of the group. */
const describePurchase = (line: CartLine, price: EstimateLine | null, isGrouped: boolean): string => {
  const part = line.area ? cartTexts.cutToArea : cartTexts.wholeScene
  if (!price) return part
  return `${part} · ${isGrouped ? formatArea(price.area_km2) : describeArea(price.area_km2, price.minimum_km2)}`
}

function describeGroup({ lines, charged_km2 }: LineGroup): string {
  const area_km2 = lines.reduce((sum, { price }) => sum + (price?.area_km2 ?? 0), 0)
  return describeArea(area_km2, charged_km2 ?? 0)
}

const describeArea = (area_km2: number, minimum_km2: number): string =>
  isMinimumCharged(area_km2, minimum_km2)
    ? cartTexts.minimum(formatArea(area_km2), formatArea(minimum_km2))
    : formatArea(area_km2)
