import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * After a navigation the focus goes to the heading of the panel, unless something in the panel still has it: a keyboard goes on
 * where the eyes are, and a screen reader says where one is.
 */
export function usePanelFocus(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const previous = useRef(path)
  useEffect(() => {
    const isFirst = previous.current === undefined
    const isSame = previous.current === path
    previous.current = path
    const panel = document.getElementById('panel')
    if (isFirst || isSame || !panel || isWorking(panel)) return
    panel.querySelector('h1')?.focus({ preventScroll: true })
  }, [path])
}

/** True if an element in the panel, or an open dialog, has the focus. */
function isWorking(panel: HTMLElement): boolean {
  const active = document.activeElement
  if (active === null || active === panel) return false
  return panel.contains(active) || active.closest('dialog[open], [role=dialog]') !== null
}
