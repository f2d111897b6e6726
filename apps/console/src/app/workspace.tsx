import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { readStored, writeStored } from '../api/storage.ts'
import { frameTexts } from '../texts/frame.ts'
import { SheetHandle } from './sheet-handle.tsx'
import { useSheet } from './use-sheet.ts'
import { isWidePlace } from './wide-places.ts'
import styles from './workspace.module.css'
import layout from '../ui/layout.module.css'

const key = 'swath.panel-width'
const [narrowest, usual, widest] = [360, 400, 480]
const keyboard_step = 20

const clampWidth = (width: number): number => Math.min(widest, Math.max(narrowest, Math.round(width)))
const readWidth = (): number => clampWidth(Number(readStored(key) ?? usual) || usual)

export interface WorkspaceProps {
  /** The content of the panel. */
  readonly panel: ReactNode
  /** The map and its overlays. */
  readonly children: ReactNode
}

/**
 * The panel beside the map; its width is remembered. Where nothing is on the map, the map is hidden and the panel has its width, too. On small screens it is a sheet over the lower part of the map, which has
 * three heights.
 */
export function Workspace({ panel, children }: WorkspaceProps) {
  const [width, setWidth] = useState(readWidth)
  const element = useRef<HTMLDivElement>(null)
  const sheet = useSheet(element)
  const { pathname } = useLocation()
  const { showContent } = sheet
  // A screen that a person has opened is shown.
  useEffect(showContent, [pathname, showContent])
  const resize = (wanted: number): void => {
    setWidth(clampWidth(wanted))
    writeStored(key, String(clampWidth(wanted)))
  }
  const sizes = { '--panel': `${width}px`, '--sheet': `${sheet.height_px ?? 0}px` }
  return (
    <div
      ref={element}
      className={styles['workspace']}
      style={sizes as React.CSSProperties}
      data-dragging={sheet.isDragging || undefined}
      data-wide={isWidePlace(pathname) || undefined}
    >
      <main id="panel" tabIndex={-1} className={`${layout['column']} ${styles['panel']}`}>
        <SheetHandle sheet={sheet} />
        {panel}
        <WidthHandle width={width} onChange={resize} />
      </main>
      <div className={`${layout['relative']} ${styles['map']}`}>{children}</div>
    </div>
  )
}

function WidthHandle({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const start = event.clientX - width
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => onChange(clientX - start)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -keyboard_step, ArrowRight: keyboard_step }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onChange(width + step)
  }
  return (
    <div
      className={styles['width']}
      role="separator"
      aria-orientation="vertical"
      aria-label={frameTexts.resize}
      aria-controls="panel"
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
    />
  )
}
