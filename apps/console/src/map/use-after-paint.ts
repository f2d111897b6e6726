import { useEffect, useState } from 'react'

/** False until the page has been drawn with what asks, so that costly parts begin in a task of their own. */
export function useAfterPaint(): boolean {
  const [hasPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // A hidden page has no frames, and nobody waits for them.
    const start = (): void => void (timer = setTimeout(() => setPainted(true)))
    const frame = document.hidden ? 0 : requestAnimationFrame(start)
    if (document.hidden) start()
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return hasPainted
}
