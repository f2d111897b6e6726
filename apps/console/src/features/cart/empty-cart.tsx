import { Link } from '@tanstack/react-router'
import { ShoppingCart } from 'lucide-react'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'

export const EmptyCart = () => (
  <Screen title={texts.cart.title}>
    <EmptyState icon={ShoppingCart} title={texts.cart.empty}>
      <p>{texts.cart.emptyHelp}</p>
      <Link to="/explore" search={keepView}>
        {texts.cart.toExplore}
      </Link>
    </EmptyState>
  </Screen>
)
