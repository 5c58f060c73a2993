// Only this of its random functions: its getRandomBytes returns guessable numbers during development.
import { digest, getRandomValues } from 'expo-crypto';
import { registerCrypto } from './native-crypto.ts';

registerCrypto({ digest, getRandomValues });
