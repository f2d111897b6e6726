import { useEffect, useRef, type RefObject } from 'react'

/**
 * Moves the focus to the panel when another place is opened, unless it is in the panel already: whoever uses the keyboard goes on
 * there, and a screen reader reads it. Not at the first place, where the page itself is read.
 */
export function usePanelFocus(panel: RefObject<HTMLElement | null>, pathname: string): void {
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    // What was activated has gone with its screen after the next painting.
    const frame = requestAnimationFrame(() => {
      const element = panel.current
      if (element && !element.contains(document.activeElement)) element.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [panel, pathname])
}
