import { Link } from '@tanstack/react-router'
import { texts } from '../texts.ts'

export function NotFound() {
  return (
    <section>
      <h1>{texts.frame.notFound}</h1>
      <Link to="/explore">{texts.frame.toExplore}</Link>
    </section>
  )
}
