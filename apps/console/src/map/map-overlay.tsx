import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useMap } from './map-context.tsx'
import styles from './map-overlay.module.css'
import layout from '../ui/layout.module.css'

export interface MapOverlayProps {
  readonly side: 'left' | 'right'
  readonly label: string
  readonly children: ReactNode
}

/** Something small that stands on the map in a lower corner, such as a legend; it does not hold up the pointer. */
export function MapOverlay({ side, label, children }: MapOverlayProps) {
  const map = useMap()
  if (!map) return null
  return createPortal(
    <section
      className={`${layout['boxed']} ${layout['stack8']} ${styles['overlay']}`}
      data-side={side}
      aria-label={label}
    >
      {children}
    </section>,
    map.getContainer(),
  )
}
