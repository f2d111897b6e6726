import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

const gestures = ['pointerdown', 'keydown'] as const

/**
 * Says whether the view of the map came from the URL: by a link or a reload, or by going back in the history. Until the
 * person does something, screens do not move the map to their content. The value is read by effects, so it is no state.
 *
 * @param hasView whether the URL that the page was opened with has a view.
 */
export function useGivenView(hasView: boolean): () => boolean {
  const isGiven = useRef(hasView)
  const read = useRef(() => isGiven.current)
  const { history } = useRouter()
  useEffect(() => {
    const act = (): void => {
      isGiven.current = false
    }
    for (const gesture of gestures) addEventListener(gesture, act, true)
    const unsubscribe = history.subscribe(({ action }) => {
      if (action.type !== 'PUSH' && action.type !== 'REPLACE') isGiven.current = true
    })
    return () => {
      for (const gesture of gestures) removeEventListener(gesture, act, true)
      unsubscribe()
    }
  }, [history])
  return read.current
}
