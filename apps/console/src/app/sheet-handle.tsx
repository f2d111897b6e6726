import type { KeyboardEvent, PointerEvent } from 'react'
import { frameTexts } from '../texts/frame.ts'
import styles from './workspace.module.css'
import { nearestSheetHeight, sheetHeights, stepSheetHeight, tapSheetHeight } from './sheet.ts'
import type { Sheet } from './use-sheet.ts'

/** A pointer that moved less was a tap. */
const tap_px = 5

/** Moves the sheet on small screens: by dragging, by tapping, with the arrow keys. */
export function SheetHandle({ sheet }: { sheet: Sheet }) {
  const { height, setHeight, height_px, available_px, drag } = sheet
  const start = (event: PointerEvent<HTMLDivElement>): void => {
    const handle = event.currentTarget
    const start_y = event.clientY
    const start_px = height_px ?? 0
    let current_px = start_px
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientY }: globalThis.PointerEvent): void => {
      current_px = Math.min(available_px, Math.max(0, start_px + start_y - clientY))
      drag(current_px)
    }
    const end = (): void => {
      handle.removeEventListener('pointermove', move)
      drag(null)
      const isTap = Math.abs(current_px - start_px) < tap_px
      setHeight(isTap ? tapSheetHeight(height) : nearestSheetHeight(current_px, available_px))
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', end, { once: true })
  }
  const press = (event: KeyboardEvent): void => {
    const next = {
      ArrowUp: () => stepSheetHeight(height, 1),
      ArrowDown: () => stepSheetHeight(height, -1),
      Home: () => 'peek' as const,
      End: () => 'full' as const,
      Enter: () => tapSheetHeight(height),
      ' ': () => tapSheetHeight(height),
    }[event.key]
    if (!next) return
    event.preventDefault()
    setHeight(next())
  }
  return (
    <div
      className={styles['sheetHandle']}
      role="slider"
      aria-orientation="vertical"
      aria-label={frameTexts.sheet.label}
      aria-valuemin={0}
      aria-valuemax={sheetHeights.length - 1}
      aria-valuenow={sheetHeights.indexOf(height)}
      aria-valuetext={frameTexts.sheet[height]}
      tabIndex={0}
      onPointerDown={start}
      onKeyDown={press}
    />
  )
}
