import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'

interface RowKeys {
  /** The `tabIndex` of the focusable elements of a row: one row of the list is in the order of the Tab key. */
  readonly isTabStop: (index: number) => 0 | -1
  readonly focusRow: (index: number) => void
  readonly press: (event: KeyboardEvent) => void
}

/** Arrow keys, Home and End move through a virtual list; Tab leaves it instead of passing through every row. */
export function useRowKeys(
  scroller: RefObject<HTMLDivElement | null>,
  rows: Virtualizer<HTMLDivElement, Element>,
  count: number,
): RowKeys {
  const [row, focusRow] = useState(0)
  /** The row, and the place of the button in it, which take the focus as soon as they exist. */
  const wanted = useRef<{ readonly index: number; readonly place: number } | null>(null)
  const shown = rows.getVirtualItems().map(({ index }) => index)
  const stop = shown.includes(row) ? row : shown[0]

  useEffect(() => {
    if (!wanted.current) return
    const { index, place } = wanted.current
    const buttons = scroller.current?.querySelectorAll<HTMLElement>(`li[data-index="${index}"] button`)
    if (!buttons?.length) return
    wanted.current = null
    // The header of a group has one button only.
    ;(buttons[place] ?? buttons[0]!).focus({ preventScroll: true })
  })

  const press = (event: KeyboardEvent): void => {
    const item = (event.target as HTMLElement).closest('li')
    const target = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: count - 1 }[event.key]
    if (target === undefined || !item) return
    event.preventDefault()
    const index = Math.min(count - 1, Math.max(0, target))
    wanted.current = { index, place: [...item.querySelectorAll('button')].indexOf(event.target as HTMLButtonElement) }
    rows.scrollToIndex(index, { align: 'auto' })
    focusRow(index)
  }
  return { isTabStop: (index) => (index === stop ? 0 : -1), focusRow, press }
}
