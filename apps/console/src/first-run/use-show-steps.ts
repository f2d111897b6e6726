import { useNavigate } from '@tanstack/react-router'
import { keepView } from '../map/keep-view.ts'
import { useKeptSteps } from './use-kept-steps.ts'

/** Shows the first steps again, at the top of Explore. */
export function useShowSteps(): () => void {
  const navigate = useNavigate()
  const { keep } = useKeptSteps()
  return () => {
    keep({ card: 'shown' })
    void navigate({ to: '/explore', search: keepView })
  }
}
