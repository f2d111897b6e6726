import { useCallback, useEffect, useState } from 'react'

export interface PaletteState {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
}

/** Whether the command palette is open; Ctrl or ⌘ with K opens and closes it. */
export function usePaletteState(): PaletteState {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((previous) => !previous)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  return { isOpen, open, close }
}
