import { Satellite } from 'lucide-react'
import type { Order } from '@swath/client/operations.ts'
import { scenePicturePath } from '../../api/scene-picture-path.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Image } from '../../ui/image.tsx'

interface OrderPictureProps {
  readonly order: Pick<Order, 'captures' | 'displayName'>
  readonly width: number
  readonly height: number
}

/** An order is shown by the thumbnail of its first scene; until a satellite has acquired one, by an icon. */
export function OrderPicture({ order: { captures, displayName }, width, height }: OrderPictureProps) {
  const [first] = captures
  const path = first ? scenePicturePath('thumbnail', first.host, first.id) : null
  return <Image path={path} alt={ordersTexts.picture(displayName)} width={width} height={height} icon={Satellite} /> // prettier-ignore
}
