import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { texts } from '../texts.ts'
import styles from './frame.module.css'

const key = 'swath.panel-width'
const [narrowest, usual, widest] = [360, 400, 480]
const keyboard_step = 20

const clampWidth = (width: number): number => Math.min(widest, Math.max(narrowest, Math.round(width)))
const readWidth = (): number => clampWidth(Number(localStorage.getItem(key) ?? usual) || usual)

/** The panel beside the map; its width is remembered. On small screens it is a sheet over the lower part of the map. */
export function Panel({ children }: { children: ReactNode }) {
  const [width, setWidth] = useState(readWidth)
  const resize = (wanted: number): void => {
    const next = clampWidth(wanted)
    setWidth(next)
    localStorage.setItem(key, String(next))
  }
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const start = event.clientX - width
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => resize(clientX - start)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }
  const press = ({ key: pressed }: KeyboardEvent): void => {
    if (pressed === 'ArrowLeft') resize(width - keyboard_step)
    if (pressed === 'ArrowRight') resize(width + keyboard_step)
  }
  return (
    <>
      <main id="panel" className={styles['panel']} style={{ '--panel': `${width}px` } as React.CSSProperties}>
        {children}
      </main>
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
    </>
  )
}
