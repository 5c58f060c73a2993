// Only this of its random numbers: its getRandomBytes gives numbers that can be guessed while an app is developed.
import { digest, getRandomValues } from 'expo-crypto';
import { registerCrypto } from './native-crypto.ts';

registerCrypto({ digest, getRandomValues });
