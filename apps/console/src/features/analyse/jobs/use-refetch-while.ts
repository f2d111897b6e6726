import { useState } from 'react'
import type { OperationOptions } from '../../../api/use-operation.ts'

/** Progress and log entries have no events. */
const progress_interval_ms = 1500

interface RefetchWhile {
  readonly options: OperationOptions
  /** Sets whether the data still changes; called with each render. */
  readonly watch: (isMoving: boolean | undefined) => void
}

/** Reads again at intervals, as long as the data says that it still changes. */
export function useRefetchWhile(): RefetchWhile {
  const [isRepeated, setRepeated] = useState(false)
  return {
    options: isRepeated ? { refetchInterval: progress_interval_ms } : {},
    watch: (isMoving) => {
      if (isMoving !== undefined && isMoving !== isRepeated) setRepeated(isMoving)
    },
  }
}
