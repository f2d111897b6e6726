import { MapPinOff } from 'lucide-react'
import { useEffect } from 'react'
import { useMapHolder } from '../map/map-context.tsx'
import { frameTexts } from '../texts/frame.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import styles from './notices.module.css'

/** In place of the map, where the browser cannot draw it: everything else works. */
export function MapFailure() {
  const { setFailed } = useMapHolder()
  useEffect(() => {
    setFailed(true)
    return () => setFailed(false)
  }, [setFailed])
  return (
    <div className={styles['noMap']}>
      <EmptyState icon={MapPinOff} title={frameTexts.noMap}>
        <p>{frameTexts.noMapHelp}</p>
      </EmptyState>
    </div>
  )
}
