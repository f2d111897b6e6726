import { uiTexts } from '../texts/ui.ts'
import styles from './skeleton.module.css'
import layout from './layout.module.css'

/** Stands where rows will be, so that nothing moves when they arrive. */
export function Skeleton({ rows = 4, height_px = 48 }: { rows?: number; height_px?: number }) {
  return (
    <div
      className={`${layout['stack8']} ${layout['inset']} ${styles['skeleton']}`}
      role="status"
      aria-label={uiTexts.loading}
      data-placeholder
    >
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ height: height_px }} />
      ))}
    </div>
  )
}

/** A line above rows that stay in view while others are read. */
export const BusyLine = () => <div className={styles['busy']} role="status" aria-label={uiTexts.loading} />
