import { Skeleton } from '../ui/skeleton.tsx'

/** In the panel, while the files of its screen are loaded over a slow connection. */
export const PanelPending = () => <Skeleton rows={6} />
