import { CloudOff, WifiOff } from 'lucide-react'
import type { Reachability } from '../api/reachability.ts'
import { frameTexts } from '../texts/frame.ts'
import styles from './notices.module.css'
import layout from '../ui/layout.module.css'

/** Says that the screen may be out of date while the platform does not answer; it disappears by itself. */
export function ConnectionBanner({ reachability }: { reachability: Reachability }) {
  const Icon = reachability === 'offline' ? WifiOff : CloudOff
  return (
    <div className={styles['banner']} role="status">
      {reachability !== 'reachable' && (
        <p className={layout['line']}>
          <Icon size={16} aria-hidden />
          {frameTexts.connection[reachability]}
        </p>
      )}
    </div>
  )
}
