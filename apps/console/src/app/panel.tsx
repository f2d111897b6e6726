import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { readStored, writeStored } from '../api/storage.ts'
import { texts } from '../texts.ts'
import styles from './frame.module.css'
import { Sheet } from './sheet.tsx'

const key = 'swath.panel-width'
const [narrowest, usual, widest] = [360, 400, 480]
const keyboard_step = 20

const clampWidth = (width: number): number => Math.min(widest, Math.max(narrowest, Math.round(width)))
const readWidth = (): number => clampWidth(Number(readStored(key) ?? usual) || usual)

/** The panel beside the map; its width is remembered. On small screens it is a sheet over the lower part of the map. */
export function Panel({ children }: { children: ReactNode }) {
  const [width, setWidth] = useState(readWidth)
  const resize = (wanted: number): void => {
    const next = clampWidth(wanted)
    setWidth(next)
    writeStored(key, String(next))
  }
  return (
    <Sheet style={{ '--panel': `${width}px` }}>
      <div className={styles['content']}>{children}</div>
      <PanelEdge width={width} onResize={resize} />
    </Sheet>
  )
}

/** The edge between panel and map, which is dragged or moved with the arrow keys. */
function PanelEdge({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const start = event.clientX - width
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => onResize(clientX - start)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }
  const press = ({ key: pressed }: KeyboardEvent): void => {
    if (pressed === 'ArrowLeft') onResize(width - keyboard_step)
    if (pressed === 'ArrowRight') onResize(width + keyboard_step)
  }
  return (
    <div
      className={styles['handle']}
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.frame.resize}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
    />
  )
}
