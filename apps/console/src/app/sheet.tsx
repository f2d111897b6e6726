import { useLayoutEffect, useState, type PointerEvent, type ReactNode } from 'react'
import { useMap } from '../map/map-context.tsx'
import { texts } from '../texts.ts'
import styles from './frame.module.css'

/** Shares of the window. */
const heights = { peek: 0.24, half: 0.55, full: 0.9 } as const
type SheetHeight = keyof typeof heights
const order = Object.keys(heights) as SheetHeight[]

/** Shorter movements are taps. */
const drag_px = 24
const small = '(width < 720px)'

const nearest = (share: number): SheetHeight =>
  order.reduce((best, name) => (Math.abs(heights[name] - share) < Math.abs(heights[best] - share) ? name : best))

/** The panel as a sheet of three heights on small screens; elsewhere it is as high as the window. */
export function Sheet({ style, children }: { style: Readonly<Record<string, string>>; children: ReactNode }) {
  const map = useMap()
  const [height, setHeight] = useState<SheetHeight>('half')

  // Before the screens move the map to what they show.
  useLayoutEffect(() => {
    if (!map) return
    const query = matchMedia(small)
    // What the map is moved to has to be beside the sheet.
    const update = (): void => {
      const bottom = query.matches ? Math.min(heights[height], heights.half) * innerHeight : 0
      map.easeTo({ padding: { top: 0, left: 0, right: 0, bottom }, duration: 0 })
    }
    update()
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [map, height])

  const drag = ({ clientY: start }: PointerEvent<HTMLButtonElement>): void => {
    const end = ({ clientY }: globalThis.PointerEvent): void => {
      removeEventListener('pointerup', end)
      const moved = start - clientY
      if (Math.abs(moved) < drag_px) setHeight(order[(order.indexOf(height) + 1) % order.length]!)
      else setHeight(nearest(heights[height] + moved / innerHeight))
    }
    addEventListener('pointerup', end)
  }
  return (
    <main
      id="panel"
      className={styles['panel']}
      data-height={height}
      style={{ ...style, '--sheet': `${100 * heights[height]}dvh` } as React.CSSProperties}
    >
      <button
        type="button"
        className={styles['grip']}
        aria-label={texts.frame.sheet[height]}
        onPointerDown={drag}
        onKeyDown={({ key }) => {
          const step = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : key === 'Enter' ? 1 : 0
          const next = order[Math.min(order.length - 1, Math.max(0, order.indexOf(height) + step))]
          if (step !== 0 && next) setHeight(next)
        }}
      />
      {children}
    </main>
  )
}
