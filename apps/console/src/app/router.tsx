import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'

/** Parameters of every address: `v` is the view of the map. */
interface FrameSearch {
  readonly v?: string
}

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  validateSearch: ({ v }: Record<string, unknown>): FrameSearch => (typeof v === 'string' ? { v } : {}),
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/explore', search: (previous) => previous })
  },
})

const explore = createRoute({
  getParentRoute: () => root,
  path: '/explore',
  component: lazyRouteComponent(() => import('../features/explore/explore.tsx'), 'Explore'),
})

export const router = createRouter({ routeTree: root.addChildren([home, explore]), defaultPreload: 'intent' })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
